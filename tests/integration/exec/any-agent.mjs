// The smallest agent there is, in nobody's framework: it asks a model, runs the tools that it wants, and asks again.
const { OPENAI_BASE_URL: baseUrl, OPENAI_API_KEY: key = 'none' } = process.env
const [model = 'gpt-4.1-mini', task = 'look around'] = process.argv.slice(2)
const tools = [{ type: 'function', function: { name: 'look', parameters: { type: 'object', properties: {} } } }]
const messages = [{ role: 'user', content: task }]

for (let turn = 0; turn < 100; turn++) {
  const response = await fetch(`${baseUrl}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    body: JSON.stringify({ model, messages, tools, max_tokens: 500 }),
  })
  const answer = await response.json()
  if (!response.ok) {
    console.error(`refused with ${response.status}: ${answer.error.message}`)
    process.exit(3)
  }
  const { message } = answer.choices[0]
  messages.push(message)
  if (!message.tool_calls?.length) {
    console.log(message.content)
    break
  }
  for (const { id } of message.tool_calls) messages.push({ role: 'tool', tool_call_id: id, content: 'nothing here' })
}
