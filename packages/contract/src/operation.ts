import type { Static, TSchema } from 'typebox'
import type { EventKind } from './events.ts'
import type { ProblemName } from './problems.ts'
import type { Scope } from './scopes.ts'

/** What a call may do beyond answering; one tier per operation. */
export type Effect = 'read' | 'compute' | 'spend' | 'export' | 'destructive'

/** Which of the four paging conventions the input follows (`paging.ts` has their fields). */
export type Paging = 'offset' | 'page' | 'search' | 'token'

/** How the answer travels: one JSON document, bytes of a media type, or newline-delimited JSON. */
export type AnswerForm = 'json' | 'bytes' | 'ndjson'

/** One operation of the platform: what can be asked and what comes back, never how it is answered. */
export interface Operation<Input = unknown, Output = unknown> {
  readonly id: string
  /** The one scope a principal must satisfy; `null` where any valid token will do. */
  readonly scope: Scope | null
  readonly effect: Effect
  /** One sentence, ending in a full stop. */
  readonly summary: string
  readonly input: TSchema
  readonly output: TSchema
  readonly status: 200 | 201 | 202
  readonly answer: AnswerForm
  /** Media type of a JSON answer; `application/json` unless it is a kind of JSON with its own name. */
  readonly media_type: string
  /** Media types that the answer has instead, where the input asks for one. */
  readonly alternatives: readonly string[]
  readonly paging: Paging | null
  readonly problems: readonly ProblemName[]
  readonly emits: readonly EventKind[]
  /** Accepts the header `Idempotency-Key`. */
  readonly idempotent: boolean
  /** Ours, beyond the specification's list; printed as `x-extension`. */
  readonly extension: boolean
  /** Reachable without a token (a share visitor has none). */
  readonly public: boolean
  /** Largest body of a call; null where the setting of the house decides alone. */
  readonly body_limit_bytes: number | null
  /** False while the operation answers 501. */
  readonly answered: boolean
  /** Never set: carries the two plain types, which keeps type checking of the whole registry cheap. */
  readonly types?: { input: Input; output: Output }
}

/** What `operation()` takes: everything that is not the default must be said. */
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

/** What anybody may send: such calls carry a few ids and words. */
const public_body_limit_bytes = 16 * 1024

/** Declares an operation. The defaults are those of a plain JSON operation that is not answered yet. */
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

/** True where no right is asked for: any token will do, or none. */
const isForAnybody = (terms: Pick<Operation, 'scope'> & { public?: boolean }): boolean =>
  terms.public === true || terms.scope === null
