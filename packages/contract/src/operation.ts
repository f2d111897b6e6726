import type { Static, TSchema } from 'typebox'
import type { EventKind } from './events.ts'
import type { ProblemName } from './problems.ts'
import type { Scope } from './scopes.ts'

/** What a call may do besides returning data; one class per operation. */
export type Effect = 'read' | 'compute' | 'spend' | 'export' | 'destructive'

/** Which of the four paging conventions the input follows (`paging.ts` has their fields). */
export type Paging = 'offset' | 'page' | 'search' | 'token'

/** The body of the response: one JSON document, bytes of a media type, or newline-delimited JSON. */
export type AnswerForm = 'json' | 'bytes' | 'ndjson'

/** One operation of the platform: its request and response, without the implementation. */
export interface Operation<Input = unknown, Output = unknown> {
  readonly id: string
  /** The scope that a principal needs; `null` if any valid token is enough. */
  readonly scope: Scope | null
  readonly effect: Effect
  /** One sentence, ending in a full stop. */
  readonly summary: string
  readonly input: TSchema
  readonly output: TSchema
  readonly status: 200 | 201 | 202
  readonly answer: AnswerForm
  /** Media type of a JSON response; `application/json` unless it is a registered JSON format, such as GeoJSON. */
  readonly media_type: string
  /** Further media types that the input may request. */
  readonly alternatives: readonly string[]
  readonly paging: Paging | null
  readonly problems: readonly ProblemName[]
  readonly emits: readonly EventKind[]
  /** Accepts the header `Idempotency-Key`. */
  readonly idempotent: boolean
  /** An addition of this platform to the list of the specification; printed as `x-extension`. */
  readonly extension: boolean
  /** Reachable without a token (a share visitor has none). */
  readonly public: boolean
  /** Largest request body; null if only the setting of the server limits it. */
  readonly body_limit_bytes: number | null
  /** False while the operation answers 501 (`not-implemented`). */
  readonly answered: boolean
  /** Never set: carries the two plain types, which keeps type checking of the whole registry fast. */
  readonly types?: { input: Input; output: Output }
}

/** The parameter of `operation()`; what is left out has its default. */
export interface Terms<I extends TSchema, O extends TSchema> {
  id: string
  scope: Scope | null
  effect: Effect
  summary: string
  input: I
  output: O
  status?: 200 | 201 | 202
  answer?: AnswerForm
  media_type?: string
  alternatives?: readonly string[]
  paging?: Paging
  problems?: readonly ProblemName[]
  emits?: readonly EventKind[]
  idempotent?: boolean
  extension?: boolean
  public?: boolean
  body_limit_bytes?: number
  answered?: boolean
}

/** Largest body of calls without a required scope: they contain a few ids and short texts. */
const public_body_limit_bytes = 16 * 1024

/** Declares an operation. The defaults are those of a JSON operation that is not implemented yet. */
export function operation<I extends TSchema, O extends TSchema>(terms: Terms<I, O>): Operation<Static<I>, Static<O>> {
  return {
    id: terms.id,
    scope: terms.scope,
    effect: terms.effect,
    summary: terms.summary,
    input: terms.input,
    output: terms.output,
    status: terms.status ?? 200,
    answer: terms.answer ?? 'json',
    media_type: terms.media_type ?? 'application/json',
    alternatives: terms.alternatives ?? [],
    paging: terms.paging ?? null,
    problems: terms.problems ?? [],
    emits: terms.emits ?? [],
    idempotent: terms.idempotent ?? false,
    extension: terms.extension ?? false,
    public: terms.public ?? false,
    body_limit_bytes: terms.body_limit_bytes ?? (isForAnybody(terms) ? public_body_limit_bytes : null),
    answered: terms.answered ?? false,
  }
}

/** True if the operation requires no scope: any token is enough, or none. */
const isForAnybody = (terms: Pick<Operation, 'scope'> & { public?: boolean }): boolean =>
  terms.public === true || terms.scope === null
