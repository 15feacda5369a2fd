/**
 * The text of an answer that is empty once its tool calls and their markup are removed: the provider would refuse an
 * empty one as soon as the client sends the conversation back.
 */
export const EMPTIED_ANSWER = '(The model called tools and wrote no text; the budget allows no more tool calls.)'
