export { openAiResponses } from './openai-responses.ts'
