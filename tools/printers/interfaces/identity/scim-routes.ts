import type { JsonSchema } from '../../json-schema.ts'
import { anyText, type DescribedRoute } from '../described-route.ts'
import { route, text, whole } from '../describe-route.ts'

const schemas: JsonSchema = { type: 'array', items: anyText, minItems: 1 }
const resource: JsonSchema = { type: 'object', required: ['schemas'], properties: { schemas, id: anyText } }
const body = {
  mediaType: 'application/scim+json',
  isRequired: true,
  schema: {
    type: 'object',
    required: ['schemas'],
    properties: { schemas, userName: anyText, displayName: anyText, active: { type: 'boolean' }, externalId: anyText },
  },
}

const paging = [
  text('filter', 'A filter (RFC 7644 3.4.2.2).'),
  whole('startIndex', 'The first row, from 1.'),
  whole('count', 'So many rows at most.'),
]

/** SCIM 2.0 (RFC 7644). */
export const scimRoutes: readonly DescribedRoute[] = (['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const).flatMap(
  (method) =>
    ['/scim/v2', '/scim/v2/{path}'].map((path) =>
      route(method, path, 'Users and groups of a directory (RFC 7644).', {
        ...(method === 'GET' ? { query: paging } : {}),
        ...(method === 'GET' || method === 'DELETE' ? {} : { body }),
        answers: {
          '200': { 'application/scim+json': resource },
          '201': { 'application/scim+json': resource },
          '204': {},
        },
        refusedAs: 'ScimError',
        refusals: [400, 401, 403, 404, 409, 413, 429],
      }),
    ),
)
