import type { Static, TSchema } from 'typebox'
import type { ActsOn, PermittedCallers, OrganizationPermission } from './access.ts'
import type { EventType } from './events.ts'
import { limits } from './limits.ts'
import { withPlayMoneyField } from './play-money.ts'
import type { ProblemName } from './problems.ts'
import type { Scope } from './scopes.ts'

/** The effect of a call besides returning data; one class per operation. */
export type OperationEffect = 'read' | 'compute' | 'spend' | 'export' | 'destructive'

/** The paging convention of the input, one of four (`paging.ts` has their fields). */
export type PagingConvention = 'offset' | 'page' | 'search' | 'token'

/** The body of the response: one JSON document, bytes of a media type, newline-delimited JSON, or Server-Sent Events. */
export type ResponseKind = 'json' | 'bytes' | 'ndjson' | 'event-stream'

/** One operation of the platform: its request and response, without the implementation. */
export interface Operation<Input = unknown, Output = unknown> {
  readonly id: string
  /** The scope that a principal needs; `null` if any valid token is enough. */
  readonly scope: Scope | null
  /** The organization permission that the caller needs; null if its scope and its role in projects are enough. */
  readonly permission: OrganizationPermission | null
  readonly callers: PermittedCallers
  /** Whose role may not be higher than that of the caller; null if it acts on nobody else, or on what belongs to a project. */
  readonly acts_on: ActsOn | null
  readonly effect: OperationEffect
  /** One sentence, ending in a full stop. */
  readonly summary: string
  readonly input: TSchema
  readonly output: TSchema
  readonly status: 200 | 201 | 202
  readonly response_kind: ResponseKind
  /** Media type of a JSON response; `application/json` unless it is a registered JSON format, such as GeoJSON. */
  readonly media_type: string
  /** Further media types that the input may request. */
  readonly alternative_media_types: readonly string[]
  readonly paging: PagingConvention | null
  readonly problems: readonly ProblemName[]
  readonly emits: readonly EventType[]
  /** Accepts the header `Idempotency-Key`. */
  readonly idempotent: boolean
  /** Not among the specified operations (`docs/platform/conventions.md`, Extensions); printed as `x-extension`. */
  readonly extension: boolean
  /** Reachable without a token (a share visitor has none). */
  readonly public: boolean
  /** Largest request body; null if only the setting of the server limits it (`BODY_LIMIT_BYTES`). */
  readonly body_limit_bytes: number | null
  /** Never set: carries the two plain types, which keeps type checking of the whole registry fast. */
  readonly types?: { input: Input; output: Output }
}

/** The parameter of `operation()`; members that are left out have their default. */
export interface OperationDefinition<I extends TSchema, O extends TSchema> {
  id: string
  scope: Scope | null
  permission?: OrganizationPermission
  callers?: PermittedCallers
  acts_on?: ActsOn
  effect: OperationEffect
  summary: string
  input: I
  output: O
  status?: 200 | 201 | 202
  response_kind?: ResponseKind
  media_type?: string
  alternative_media_types?: readonly string[]
  paging?: PagingConvention
  problems?: readonly ProblemName[]
  emits?: readonly EventType[]
  idempotent?: boolean
  extension?: boolean
  public?: boolean
  /** Null for inputs that may be large: items, features, areas and results of workers. */
  body_limit_bytes?: number | null
}

/** Declares an operation. The defaults are those of a JSON operation. */
export function operation<I extends TSchema, O extends TSchema>(
  definition: OperationDefinition<I, O>,
): Operation<Static<I>, Static<O>> {
  return {
    id: definition.id,
    scope: definition.scope,
    permission: definition.permission ?? null,
    callers: definition.callers ?? 'any',
    acts_on: definition.acts_on ?? null,
    effect: definition.effect,
    summary: definition.summary,
    input: definition.input,
    output: withPlayMoneyField(definition.output),
    status: definition.status ?? 200,
    response_kind: definition.response_kind ?? 'json',
    media_type: definition.media_type ?? 'application/json',
    alternative_media_types: definition.alternative_media_types ?? [],
    paging: definition.paging ?? null,
    problems: definition.problems ?? [],
    emits: definition.emits ?? [],
    idempotent: definition.idempotent ?? false,
    extension: definition.extension ?? false,
    public: definition.public ?? false,
    body_limit_bytes: bodyLimitOf(definition),
  }
}

function bodyLimitOf(
  definition: Pick<OperationDefinition<TSchema, TSchema>, 'body_limit_bytes' | 'scope' | 'public'>,
): number | null {
  if (definition.body_limit_bytes !== undefined) return definition.body_limit_bytes
  return requiresNoScope(definition) ? limits.max_public_body_bytes : limits.max_body_bytes
}

/** True if the operation requires no scope: any token is enough, or none. */
const requiresNoScope = (definition: Pick<Operation, 'scope'> & { public?: boolean }): boolean =>
  definition.public === true || definition.scope === null
