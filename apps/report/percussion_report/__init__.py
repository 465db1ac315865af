"""Pictures and pages from the results of Percussion."""
