"""The appliance and its command line: composes rules, eye and hardware."""
