export { openAiChat } from './openai-chat.ts'
