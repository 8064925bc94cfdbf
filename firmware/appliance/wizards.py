"""The wizards: lens and table from the printed sheet, the look of an own copy."""

from dataclasses import replace
from typing import Final

from firmware.appliance.effects import (
    KeepCalibration,
    LearnGroups,
    SolveCalibration,
    StartGrouping,
    StartTeaching,
    TakeCalibrationPhoto,
)
from firmware.appliance.events import (
    CalibrationFinished,
    CalibrationKept,
    CalibrationPhotoTaken,
    GroupsFound,
    JobFailed,
    TeachingFinished,
    TilesLearned,
)
from firmware.appliance.faults import Fault
from firmware.appliance.modes import (
    Asking,
    Calibrating,
    Grouping,
    Teaching,
    TeachStep,
    Telling,
    Wizard,
)
from firmware.appliance.moves import (
    Turn,
    back,
    begin,
    change,
    go,
    note,
    scan,
    then,
    to,
    with_picture,
)
from firmware.appliance.state import State
from firmware.screens.views import Other
from firmware.screens.words import MenuWord, Notice, Question, Stage, WizardStep
from hardware.buttons import Button
from vision.photo.load import Photo

LENS_STEPS: Final = (
    WizardStep.CALIBRATE_PRINT,
    WizardStep.CALIBRATE_FLAT,
    WizardStep.CALIBRATE_LIFT_LEFT,
    WizardStep.CALIBRATE_LIFT_RIGHT,
    WizardStep.CALIBRATE_LIFT_NEAR,
    WizardStep.CALIBRATE_LIFT_FAR,
    WizardStep.CALIBRATE_CORNER,
    WizardStep.CALIBRATE_TABLE,
)
"""The four tilts fix the lens, the corner its rim, the last photo the table."""
TABLE_STEPS: Final = (WizardStep.CALIBRATE_TABLE,)

BACK_TO: Final = {
    "calibration-too-few-photos": WizardStep.CALIBRATE_LIFT_LEFT,
    "calibration-one-angle": WizardStep.CALIBRATE_LIFT_LEFT,
    "calibration-low-coverage": WizardStep.CALIBRATE_CORNER,
    "calibration-inexact": WizardStep.CALIBRATE_FLAT,
    "calibration-sizes-differ": WizardStep.CALIBRATE_FLAT,
}
"""The step that helps where the photos are not enough, after which the others follow once more;
after any other fault the same step is tried again."""
ALL_ANEW: Final = ("calibration-inexact", "calibration-sizes-differ")
"""After these no further photo helps."""

DOUBTFUL: Final = "teach-doubtful"
"""The photo does not seem to show what it should; a person may say that it does."""
WHICH_WAY: Final = "teach-which-way"
"""The eye cannot tell which way up the grid lies."""
CORNERS: Final = (
    MenuWord.TOP_LEFT,
    MenuWord.TOP_RIGHT,
    MenuWord.BOTTOM_RIGHT,
    MenuWord.BOTTOM_LEFT,
)


def calibration_steps(mode: Calibrating) -> tuple[WizardStep, ...]:
    """The steps of the wizard, in order."""
    return TABLE_STEPS if mode.table_only else LENS_STEPS


def calibrating_pressed(state: State, mode: Calibrating, button: Button) -> Turn:
    """OK takes the photo, or keeps what was found; SCAN leaves, NEXT shows more of the text."""
    if button is Button.NEXT:
        return go(state, replace(mode, page=mode.page + 1))
    if button is Button.SCAN:
        return back(state) if mode.fresh else go(state, Asking(Question.CANCEL_WIZARD, mode))
    if mode.found is not None:
        return keep_found(state, mode)
    return take_sheet(state, mode)


def keep_found(state: State, mode: Calibrating) -> Turn:
    """Use the calibration that was found."""
    return begin(state, replace(mode, stage=Stage.CALIBRATE), KeepCalibration)


def take_sheet(state: State, mode: Calibrating, photo: Photo | None = None) -> Turn:
    """Take the photo of a step, or the one that is given; before the first there is a text."""
    if calibration_steps(mode)[mode.step] is WizardStep.CALIBRATE_PRINT:
        return go(state, replace(mode, step=mode.step + 1, page=0))
    # The sheet lies where the table was
    return begin(
        replace(state, same_table=False),
        replace(mode, stage=Stage.CAPTURE if photo is None else Stage.CALIBRATE),
        lambda job: TakeCalibrationPhoto(job, mode.fresh, photo),
    )


def photo_taken(state: State, mode: Calibrating, _event: CalibrationPhotoTaken) -> Turn:
    """The sheet was found: on to the next pose, or to the result."""
    state = _pictured(state, mode)
    good = replace(mode, job=None, fresh=False, problem=None, page=0)
    if mode.step + 1 < len(calibration_steps(mode)):
        return replace(state, mode=replace(good, step=mode.step + 1)), ()
    good = replace(good, stage=Stage.CALIBRATE)
    state = replace(state, mode=good)
    return begin(state, good, lambda job: SolveCalibration(job, mode.table_only))


def calibrated(state: State, mode: Calibrating, event: CalibrationFinished) -> Turn:
    """Lens and table are known; a person says whether they are good enough."""
    return replace(state, mode=replace(mode, job=None, found=event.found)), ()


def calibration_kept(state: State, mode: Calibrating, _event: CalibrationKept) -> Turn:
    """What was found is used from now on."""
    return back(replace(state, calibrated=True, mode=replace(mode, job=None)))


def not_calibrated(state: State, mode: Calibrating, event: JobFailed) -> Turn:
    """The photo is of no use, or all are not enough: back to the first step that helps."""
    code = event.fault.code
    if not mode.table_only:
        step = BACK_TO.get(code, calibration_steps(mode)[mode.step])
        mode = replace(mode, step=LENS_STEPS.index(step))
    anew = mode.fresh or code in ALL_ANEW or mode.table_only
    again = to_try_again(replace(mode, fresh=anew), event.fault)
    return note(replace(state, mode=again), event.fault)


def teaching_pressed(state: State, mode: Teaching, button: Button) -> Turn:
    """OK takes the photo, SCAN leaves; NEXT shows more of the text."""
    if mode.doubtful:
        return _doubtful_pressed(state, mode, button)
    if mode.step is TeachStep.CORNER:
        return _corner_pressed(state, mode, button)
    if button is Button.NEXT:
        return go(state, replace(mode, page=mode.page + 1))
    if button is Button.OK:
        if mode.step is TeachStep.LAY:
            return go(state, replace(mode, step=TeachStep.PHOTO, page=0))
        return learn(state, mode)
    return _use_it(state, mode) if mode.step is TeachStep.MORE else back(state)


def _doubtful_pressed(state: State, mode: Teaching | Grouping, button: Button) -> Turn:
    """OK learns the photo all the same; SCAN tells what does not fit, and another may be taken."""
    if button is Button.OK:
        return learn_doubtful(state, mode)
    if button is not Button.SCAN:
        return state, ()
    if isinstance(mode, Grouping) and mode.pictures:  # other names may fit
        return go(state, replace(mode, doubtful=False, named=(), option=0))
    return go(state, to_try_again(mode, mode.problem))


def learn_doubtful(state: State, mode: Teaching | Grouping) -> Turn:
    """Learn the last photo, of which a person has said that it shows what it should."""
    game, edition, add = state.settings.game, mode.edition, mode.add
    if isinstance(mode, Grouping) and mode.pictures:
        named = replace(mode, doubtful=False, problem=None, stage=Stage.TEACH)
        return begin(state, named, lambda job: LearnGroups(job, mode.named, sure=True))
    if isinstance(mode, Grouping):
        waiting = replace(mode, doubtful=False, problem=None, stage=Stage.TEACH)
        return begin(state, waiting, lambda job: StartGrouping(job, game, edition, add, sure=True))
    corner, faces = mode.corner, mode.faces
    return begin(
        state,
        replace(mode, doubtful=False, problem=None, stage=Stage.TEACH),
        lambda job: StartTeaching(
            job, game, edition, add, same_photo=True, corner=corner, faces=faces, sure=True
        ),
    )


def _corner_pressed(state: State, mode: Teaching, button: Button) -> Turn:
    corner = mode.corner or CORNERS[0]
    if button is Button.NEXT:
        following = CORNERS[(CORNERS.index(corner) + 1) % len(CORNERS)]
        return go(state, replace(mode, corner=following))
    if button is Button.SCAN:
        return go(state, to_try_again(mode, None))
    return learn(state, replace(mode, corner=corner), same_photo=True)


def learn(
    state: State, mode: Teaching, photo: Photo | None = None, *, same_photo: bool = False
) -> Turn:
    """Learn from a photo: the last one, the one that is given, or one that is taken."""
    game, given = state.settings.game, same_photo or photo is not None
    return begin(
        replace(state, same_table=False),  # other tiles lie where the table was
        replace(mode, stage=Stage.TEACH if given else Stage.CAPTURE),
        lambda job: StartTeaching(
            job, game, mode.edition, mode.add, same_photo, mode.corner, mode.faces, photo
        ),
    )


def _use_it(state: State, mode: Teaching) -> Turn:
    """The edition is the one to read with from now on."""
    notice = Notice.TAUGHT if mode.order_checked else Notice.TAUGHT_UNCHECKED
    return then(change(state, edition=mode.edition), to(Telling(notice)))


def taught(state: State, mode: Teaching, event: TeachingFinished) -> Turn:
    """The photo was learned; more may follow."""
    learned = Teaching(
        mode.edition,
        add=True,
        learned=True,
        step=TeachStep.MORE,
        order_checked=mode.order_checked and event.order_checked,
        faces=mode.faces,
    )
    return replace(_pictured(state, mode), mode=learned), ()


def failed(state: State, mode: Grouping, event: JobFailed) -> Turn:
    """There is no photo, or none of use: another one may help, or a person may be sure of it."""
    if event.fault.code == DOUBTFUL:
        return replace(state, mode=replace(mode, job=None, doubtful=True, problem=event.fault)), ()
    return note(replace(state, mode=to_try_again(mode, event.fault)), event.fault)


def not_taught(state: State, mode: Teaching, event: JobFailed) -> Turn:
    """The photo was not learned: ask for the corner, or take another one."""
    if event.fault.code == WHICH_WAY and mode.corner is None:
        asking = replace(mode, job=None, step=TeachStep.CORNER, corner=CORNERS[0])
        return replace(state, mode=asking), ()
    if event.fault.code == DOUBTFUL:
        return replace(state, mode=replace(mode, job=None, doubtful=True, problem=event.fault)), ()
    return note(replace(state, mode=to_try_again(mode, event.fault)), event.fault)


def grouping_pressed(state: State, mode: Grouping, button: Button) -> Turn:
    """OK takes the photo, then what is offered for a group; NEXT offers more, SCAN goes back."""
    if mode.doubtful:
        return _doubtful_pressed(state, mode, button)
    if not mode.pictures:
        if button is Button.NEXT:
            return go(state, replace(mode, page=mode.page + 1))
        if button is Button.SCAN:
            return back(state)
        return find_groups(state, mode)
    answers = group_answers(mode)
    if button is Button.NEXT:
        return go(state, replace(mode, option=(mode.option + 1) % len(answers)))
    if button is Button.SCAN:
        before = replace(mode, named=mode.named[:-1], option=0)
        return go(state, before if mode.named else replace(mode, pictures=()))
    answer = answers[mode.option]
    face = None if isinstance(answer, Other) else answer
    mode = replace(mode, named=(*mode.named, face), option=0)
    return go(state, mode) if len(mode.named) < len(mode.pictures) else learn_named(state, mode)


def find_groups(state: State, mode: Grouping, photo: Photo | None = None) -> Turn:
    """Take the photo of a table, or the one that is given, and put its tiles into groups."""
    game, edition, add = state.settings.game, mode.edition, mode.add
    state = replace(state, same_table=False)
    mode = replace(mode, stage=Stage.CAPTURE if photo is None else Stage.TEACH, photo=photo)
    return begin(state, mode, lambda job: StartGrouping(job, game, edition, add, photo))


def learn_named(state: State, mode: Grouping) -> Turn:
    """Learn the groups, of which each was named or left out."""
    if not any(mode.named):
        return back(state)
    names = mode.named
    mode = replace(mode, stage=Stage.TEACH, doubtful=False, problem=None)
    return begin(state, mode, lambda job: LearnGroups(job, names))


def group_answers(mode: Grouping) -> tuple[str | Other, ...]:
    """What may be said of a group: faces that were not named yet come first.

    The display shows one tile of it alone; if others differ, leaving it out comes first.
    """
    faces = sorted(mode.faces, key=lambda face: face in mode.named)
    return (Other.LATER, *faces) if len(mode.named) in mode.mixed else (*faces, Other.LATER)


def groups_found(state: State, mode: Grouping, event: GroupsFound) -> Turn:
    """The groups can be named."""
    found = Grouping(
        mode.edition,
        mode.add,
        pictures=event.pictures,
        faces=event.faces,
        found_by=event.job,
        strips=event.strips,
        photo=mode.photo,
        mixed=event.mixed,
    )
    return replace(_pictured(state, mode), mode=found), ()


def groups_learned(state: State, mode: Grouping, _event: TilesLearned) -> Turn:
    """The table that taught it is scanned at once."""
    state = replace(state, mode=replace(mode, job=None))
    return then(change(state, edition=mode.edition), lambda state: scan(state, mode.photo))


def _pictured(state: State, mode: Wizard) -> State:
    """The camera works if it was waited for until now."""
    return with_picture(state) if mode.stage is Stage.CAPTURE else state


def to_try_again(mode: Wizard, fault: Fault | None) -> Wizard:
    """Where the wizard waits for a photo after one that gave nothing; what it knows stays."""
    if isinstance(mode, Teaching):
        step = TeachStep.MORE if mode.learned else TeachStep.PHOTO
        mode = replace(mode, step=step, corner=None, doubtful=False)
    elif isinstance(mode, Grouping):
        mode = replace(mode, pictures=(), named=(), option=0, doubtful=False)
    elif isinstance(mode, Calibrating):
        mode = replace(mode, found=None)
    return replace(mode, job=None, problem=fault, page=0)
