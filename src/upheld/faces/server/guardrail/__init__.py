"""The service as a guardrail of a LiteLLM gateway, by its generic guardrail API."""
