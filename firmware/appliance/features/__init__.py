"""Features of the appliance: each module has the modes, events, commands and effects of one."""
