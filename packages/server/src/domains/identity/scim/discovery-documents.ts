import { limits } from '@swath/contract/limits.ts'
import {
  scimResourceTypes,
  scimSchemas,
  type ScimAttribute,
  type ScimResource,
  type ScimResourceType,
  type ScimSchema,
} from './schema.ts'

const configSchema = 'urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'
const resourceTypeSchema = 'urn:ietf:params:scim:schemas:core:2.0:ResourceType'
const schemaSchema = 'urn:ietf:params:scim:schemas:core:2.0:Schema'

/** What of SCIM is there (RFC 7643 5). */
export const buildServiceProviderConfig = (baseUrl: string): ScimResource => ({
  schemas: [configSchema],
  patch: { supported: true },
  bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
  filter: { supported: true, maxResults: limits.max_scim_page },
  changePassword: { supported: false },
  sort: { supported: false },
  etag: { supported: true },
  authenticationSchemes: [
    {
      type: 'oauthbearertoken',
      name: 'SCIM token',
      description: 'A token of organizations.scim_tokens.create, as a Bearer token.',
      specUri: 'https://www.rfc-editor.org/info/rfc6750',
      primary: true,
    },
  ],
  meta: { resourceType: 'ServiceProviderConfig', location: `${baseUrl}/ServiceProviderConfig` },
})

const toResourceTypeDocument = (
  { name, endpoint, description, schema, extensions }: ScimResourceType,
  baseUrl: string,
): ScimResource => ({
  schemas: [resourceTypeSchema],
  id: name,
  name,
  endpoint,
  description,
  schema,
  ...(extensions.length === 0
    ? {}
    : { schemaExtensions: extensions.map(({ id }) => ({ schema: id, required: false })) }),
  meta: { resourceType: 'ResourceType', location: `${baseUrl}/ResourceTypes/${name}` },
})

export const listResourceTypeDocuments = (baseUrl: string): readonly ScimResource[] =>
  scimResourceTypes.map((type) => toResourceTypeDocument(type, baseUrl))

const toAttributeDocument = ({
  subAttributes,
  canonicalValues,
  referenceTypes,
  caseExact,
  uniqueness,
  ...attribute
}: ScimAttribute): ScimResource => ({
  ...attribute,
  ...(attribute.type === 'boolean' || attribute.type === 'complex' ? {} : { caseExact, uniqueness }),
  ...(subAttributes.length === 0 ? {} : { subAttributes: subAttributes.map(toAttributeDocument) }),
  ...(canonicalValues.length === 0 ? {} : { canonicalValues }),
  ...(referenceTypes.length === 0 ? {} : { referenceTypes }),
})

const toSchemaDocument = ({ id, name, description, attributes }: ScimSchema, baseUrl: string): ScimResource => ({
  schemas: [schemaSchema],
  id,
  name,
  description,
  attributes: attributes.map(toAttributeDocument),
  meta: { resourceType: 'Schema', location: `${baseUrl}/Schemas/${id}` },
})

export const listSchemaDocuments = (baseUrl: string): readonly ScimResource[] =>
  scimSchemas.map((schema) => toSchemaDocument(schema, baseUrl))
