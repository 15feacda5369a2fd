"""The smallest agent there is: it asks a model, runs the tools that the model wants, and asks again.

It knows nothing of Stint. `stint exec --limit turns=3 -- python3 agent.py` limits it.
"""

import json
import os
import urllib.request

TOOLS = [{"type": "function", "function": {"name": "read", "parameters": {"type": "object", "properties": {}}}}]
messages = [{"role": "user", "content": "Read everything."}]

while True:
    request = urllib.request.Request(
        os.environ["OPENAI_BASE_URL"] + "/chat/completions",
        data=json.dumps({"model": "gpt-4.1-mini", "messages": messages, "tools": TOOLS}).encode(),
        headers={"content-type": "application/json", "authorization": "Bearer " + os.environ["OPENAI_API_KEY"]},
    )
    with urllib.request.urlopen(request) as response:
        message = json.load(response)["choices"][0]["message"]
    messages.append(message)
    if not message.get("tool_calls"):
        print(message["content"])
        break
    for call in message["tool_calls"]:
        messages.append({"role": "tool", "tool_call_id": call["id"], "content": "the text of a page"})
