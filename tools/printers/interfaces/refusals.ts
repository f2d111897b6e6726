import type { JsonSchema } from '../json-schema.ts'
import { anyText, type RefusalName } from './described-route.ts'

const problem = { 'application/problem+json': { $ref: '#/components/schemas/Problem' } }

const oauthError: JsonSchema = {
  type: 'object',
  required: ['error'],
  properties: { error: anyText, error_description: anyText },
}

const scimError: JsonSchema = {
  type: 'object',
  required: ['schemas', 'status', 'detail'],
  properties: {
    schemas: { type: 'array', items: { type: 'string', const: 'urn:ietf:params:scim:api:messages:2.0:Error' }, minItems: 1 },
    status: { type: 'string', pattern: '^[45][0-9][0-9]$' },
    scimType: anyText,
    detail: anyText,
  },
} // prettier-ignore

/** What clients of the second generation read of inputs that are not valid. */
const invalidInputs: JsonSchema = {
  type: 'object',
  required: ['errors'],
  properties: {
    errors: { type: 'array', items: { type: 'object', required: ['name', 'message'], properties: { name: anyText, message: anyText } } },
  },
} // prettier-ignore

/** The media types of each form. What the server refuses before a route has run, such as a host it does not serve, is a problem. */
const contents: Readonly<Record<RefusalName, Readonly<Record<string, JsonSchema>>>> = {
  Refusal: problem,
  Exception: { ...problem, 'application/json': problem['application/problem+json'] },
  InvalidInputs: { ...problem, 'application/json': invalidInputs },
  OAuthError: { ...problem, 'application/json': oauthError },
  Page: { ...problem, 'text/html': anyText, 'text/plain': anyText },
  ScimError: { 'application/scim+json': scimError },
  ExceptionReport: { ...problem, 'application/xml': anyText },
}

/** The responses of refusals, by name. */
export const createRefusalResponses = (headers: unknown): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(contents).map(([name, types]) => [
      name,
      {
        description: 'Refused.',
        headers,
        content: Object.fromEntries(Object.entries(types).map(([type, schema]) => [type, { schema }])),
      },
    ]),
  )
