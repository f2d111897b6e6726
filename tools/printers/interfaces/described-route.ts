import type { JsonSchema } from '../json-schema.ts'

/** A parameter of a route, in a path, a query or a header. */
export interface RouteParameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required?: boolean
  readonly description?: string
  readonly schema: JsonSchema
  /** False for a list that is written with commas. */
  readonly explode?: boolean
  /** It is the text of a JSON document. */
  readonly isJson?: boolean
}

/** The forms of refusals, by the interfaces that define them. */
export type RefusalName =
  | 'Refusal'
  | 'Exception'
  | 'InvalidInputs'
  | 'OAuthError'
  | 'Page'
  | 'ScimError'
  | 'ExceptionReport'

/** What a document says about a route. */
export interface DescribedRoute {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** With `{name}` for a parameter. */
  readonly path: string
  readonly summary: string
  /** The operation that it runs; null for one that runs none. */
  readonly operation: string | null
  /** It needs no token. */
  readonly isPublic?: boolean
  readonly isDeprecated?: boolean
  readonly parameters?: readonly RouteParameter[]
  readonly body?: { readonly mediaType: string; readonly schema: JsonSchema; readonly isRequired?: boolean }
  /** Successful answers by status: their media types with schemas; none without a body. */
  readonly answers: Readonly<Record<string, Readonly<Record<string, JsonSchema>>>>
  /** Statuses of refusals. */
  readonly refusals?: readonly number[]
  /** How they are written; by default as problems. */
  readonly refusedAs?: RefusalName
}

export const anyObject: JsonSchema = { type: 'object' }
export const anyText: JsonSchema = { type: 'string' }
export const textOrNull: JsonSchema = { anyOf: [anyText, { type: 'null' }] }

/** An object with these properties; by default all are required. */
export const objectWith = (
  properties: Readonly<Record<string, JsonSchema>>,
  required: readonly string[] = Object.keys(properties),
): JsonSchema => ({ type: 'object', required, properties })

/** The parameters of a path, as texts unless a schema is given. */
export const pathParameters = (
  path: string,
  schemaOf: (name: string) => JsonSchema = () => anyText,
): RouteParameter[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name: name!,
    in: 'path',
    required: true,
    schema: schemaOf(name!),
  }))
