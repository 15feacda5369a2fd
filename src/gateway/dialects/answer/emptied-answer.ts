/**
 * What an answer says of which nothing is left once its tool calls and their markup are gone: an empty one would be
 * refused by the provider as soon as the client sends the conversation back.
 */
export const EMPTIED_ANSWER = '(The model called tools and wrote no text; the budget allows no more tool calls.)'
