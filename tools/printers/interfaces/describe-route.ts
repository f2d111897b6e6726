import type { JsonSchema } from '../json-schema.ts'
import {
  anyObject,
  anyText,
  pathParameters,
  type DescribedRoute,
  type RefusalName,
  type RouteParameter,
} from './described-route.ts'

export type Method = DescribedRoute['method']

export interface RouteOptions {
  readonly operation?: string
  readonly isPublic?: boolean
  readonly isDeprecated?: boolean
  readonly query?: readonly RouteParameter[]
  /** The media type of the body, which may be any object, or its description. */
  readonly body?: string | DescribedRoute['body']
  /** Default: 200 with JSON. */
  readonly answers?: DescribedRoute['answers']
  readonly refusals?: readonly number[]
  readonly refusedAs?: RefusalName
}

export const jsonOf = (schema: JsonSchema) => ({ '200': { 'application/json': schema } })

const json = { 'application/json': anyObject }
export const html = { 'text/html': anyText }
export const signedIn = [401, 403, 404, 429]
/** Refusals of what may cost something. */
export const spending = [400, 401, 402, 403, 404, 409, 413, 415, 422, 429]
const open = [404, 429]

/** Describes a route; without `answers` it answers 200 with JSON. */
export function route(method: Method, path: string, summary: string, options: RouteOptions = {}): DescribedRoute {
  const { query = [], body, answers = { '200': json }, isPublic = false, operation = null, ...rest } = options
  return {
    refusals: isPublic ? open : signedIn,
    ...rest,
    method,
    path,
    summary,
    operation,
    isPublic,
    parameters: [...pathParameters(path), ...query],
    ...(body === undefined
      ? {}
      : { body: typeof body === 'string' ? { mediaType: body, schema: anyObject, isRequired: false } : body }),
    answers,
  }
}

export const text = (name: string, description: string, required = false): RouteParameter => ({
  name,
  in: 'query',
  required,
  description,
  schema: anyText,
})

export const whole = (name: string, description: string, minimum = 0): RouteParameter => ({
  name,
  in: 'query',
  description,
  schema: { type: 'integer', minimum },
})

export const limit = whole('limit', 'So many at most.', 1)
