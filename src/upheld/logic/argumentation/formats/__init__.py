"""The texts and the task names of the argumentation competitions (ICCMA), read and written."""
