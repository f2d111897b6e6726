import type { Scope } from '@swath/contract/scopes.ts'
import type { german } from './german.ts'

/** A sentence or label of a page in English, which is its key in the tables of the other languages. */
export type PageMessage = keyof typeof german

/** A message without placeholders. */
export type PlainMessage = Exclude<PageMessage, `${string}{${string}}${string}`>

type PlaceholderOf<Message extends string> = Message extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PlaceholderOf<Rest>
  : never

/** A message whose placeholders have values. */
export interface FilledMessage {
  readonly message: PageMessage
  readonly values: Readonly<Record<string, string | SentenceText>>
}

/** A text that is the same in every language, such as a name. */
export interface VerbatimText {
  readonly verbatim: string
}

/** An English text from elsewhere, such as the sentence of a problem: it stays as it is if no table has it. */
export interface SentenceText {
  readonly sentence: string
}

/** What a scope lets a program do. */
export interface ScopeText {
  readonly scope: Scope
}

/** A text of a page before its language is known. */
export type PageText = PlainMessage | FilledMessage | VerbatimText | SentenceText | ScopeText

/** A message with the values of its placeholders. */
export const fill = <Message extends PageMessage>(
  message: Message,
  values: Readonly<Record<PlaceholderOf<Message>, string | SentenceText>>,
): FilledMessage => ({ message, values })

export const verbatim = (text: string): VerbatimText => ({ verbatim: text })

export const sentence = (text: string): SentenceText => ({ sentence: text })
