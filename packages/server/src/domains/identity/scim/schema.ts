/** An attribute of a resource (RFC 7643 7). */
export interface ScimAttribute {
  readonly name: string
  readonly type: 'string' | 'boolean' | 'reference' | 'complex' | 'dateTime'
  readonly description: string
  readonly multiValued: boolean
  readonly required: boolean
  readonly mutability: 'readWrite' | 'readOnly' | 'immutable'
  readonly caseExact: boolean
  readonly returned: 'default' | 'always'
  readonly uniqueness: 'none' | 'server'
  readonly subAttributes: readonly ScimAttribute[]
  readonly canonicalValues: readonly string[]
  readonly referenceTypes: readonly string[]
}

type AttributeOptions = Partial<Omit<ScimAttribute, 'name' | 'description'>>

const attribute = (name: string, description: string, options: AttributeOptions = {}): ScimAttribute => ({
  name,
  description,
  type: 'string',
  multiValued: false,
  required: false,
  mutability: 'readWrite',
  caseExact: false,
  returned: 'default',
  uniqueness: 'none',
  subAttributes: [],
  canonicalValues: [],
  referenceTypes: [],
  ...options,
})

const complex = (
  name: string,
  description: string,
  subAttributes: readonly ScimAttribute[],
  options: AttributeOptions = {},
): ScimAttribute => attribute(name, description, { type: 'complex', subAttributes, ...options })

const readOnly = { mutability: 'readOnly' } as const
const immutable = { mutability: 'immutable' } as const

/** The members of a list of values that people have. */
const labelledValues = [
  attribute('value', 'The value.'),
  attribute('display', 'A name for people.'),
  attribute('type', 'A label, such as "work".'),
  attribute('primary', 'Whether it is the preferred one.', { type: 'boolean' }),
]

export const userSchemaId = 'urn:ietf:params:scim:schemas:core:2.0:User'
export const groupSchemaId = 'urn:ietf:params:scim:schemas:core:2.0:Group'
export const enterpriseSchemaId = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'

/** Attributes of every resource, which no schema lists. */
export const commonAttributes: readonly ScimAttribute[] = [
  attribute('schemas', 'The schemas.', { type: 'reference', multiValued: true, returned: 'always', caseExact: true }),
  attribute('id', 'The id.', { ...readOnly, caseExact: true, returned: 'always' }),
  attribute('externalId', 'The id in the directory.', { caseExact: true }),
  complex(
    'meta',
    'About the resource.',
    [
      attribute('resourceType', 'Its type.', { ...readOnly, caseExact: true }),
      attribute('created', 'When it was created.', { ...readOnly, type: 'dateTime' }),
      attribute('lastModified', 'When it was last changed.', { ...readOnly, type: 'dateTime' }),
      attribute('location', 'Its URL.', { ...readOnly, type: 'reference', caseExact: true }),
      attribute('version', 'Its version.', { ...readOnly, caseExact: true }),
    ],
    readOnly,
  ),
]

const userAttributes: readonly ScimAttribute[] = [
  attribute('userName', 'The address with which the person signs in, of a verified domain of the organization.', {
    required: true,
    uniqueness: 'server',
  }),
  complex('name', 'The name.', [
    attribute('formatted', 'The whole name.'),
    attribute('familyName', 'The family name.'),
    attribute('givenName', 'The given name.'),
  ]),
  attribute('displayName', 'The name that others see.'),
  attribute('title', 'The job title.'),
  attribute('preferredLanguage', 'The language.'),
  attribute('active', 'Whether the person is a member of the organization.', { type: 'boolean' }),
  complex('emails', 'Addresses, which are kept for the directory.', labelledValues, { multiValued: true }),
  complex('roles', 'Roles, which the mappings of the provider turn into rights.', labelledValues, {
    multiValued: true,
  }),
  complex(
    'groups',
    'The groups of the person.',
    [
      attribute('value', 'The id of the group.', readOnly),
      attribute('$ref', 'Its URL.', { ...readOnly, type: 'reference', referenceTypes: ['Group'] }),
      attribute('display', 'Its name.', readOnly),
      attribute('type', 'Always "direct".', { ...readOnly, canonicalValues: ['direct'] }),
    ],
    { ...readOnly, multiValued: true },
  ),
]

const enterpriseAttributes: readonly ScimAttribute[] = [
  attribute('employeeNumber', 'The number of the employee.'),
  attribute('costCenter', 'The cost center.'),
  attribute('organization', 'The name of the organization.'),
  attribute('division', 'The division.'),
  attribute('department', 'The department.'),
]

const groupAttributes: readonly ScimAttribute[] = [
  attribute('displayName', 'The name, which the mappings of the provider turn into rights.', { required: true }),
  complex(
    'members',
    'The people in the group.',
    [
      attribute('value', 'The id of the person.', immutable),
      attribute('$ref', 'The URL of the person.', { ...immutable, type: 'reference', referenceTypes: ['User'] }),
      attribute('type', 'Always "User".', { ...immutable, canonicalValues: ['User'] }),
    ],
    { multiValued: true },
  ),
]

export interface ScimSchema {
  readonly id: string
  readonly name: string
  readonly description: string
  readonly attributes: readonly ScimAttribute[]
}

export const scimSchemas: readonly ScimSchema[] = [
  { id: userSchemaId, name: 'User', description: 'A person of the organization.', attributes: userAttributes },
  {
    id: enterpriseSchemaId,
    name: 'EnterpriseUser',
    description: 'What an organization knows of a person.',
    attributes: enterpriseAttributes,
  },
  { id: groupSchemaId, name: 'Group', description: 'A group of the directory.', attributes: groupAttributes },
]

/** A type of resources, with all attributes by which it can be addressed. */
export interface ScimResourceType {
  readonly name: 'User' | 'Group'
  readonly endpoint: '/Users' | '/Groups'
  readonly description: string
  readonly schema: string
  /** An extension is a member of the resource that has its name. */
  readonly extensions: readonly { readonly id: string; readonly attributes: readonly ScimAttribute[] }[]
  /** Those of the schema, and the common ones. */
  readonly attributes: readonly ScimAttribute[]
}

export const userType: ScimResourceType = {
  name: 'User',
  endpoint: '/Users',
  description: 'People of the organization',
  schema: userSchemaId,
  extensions: [{ id: enterpriseSchemaId, attributes: enterpriseAttributes }],
  attributes: [...commonAttributes, ...userAttributes],
}

export const groupType: ScimResourceType = {
  name: 'Group',
  endpoint: '/Groups',
  description: 'Groups of the directory',
  schema: groupSchemaId,
  extensions: [],
  attributes: [...commonAttributes, ...groupAttributes],
}

export const scimResourceTypes: readonly ScimResourceType[] = [userType, groupType]

/** A resource as JSON. */
export type ScimResource = Readonly<Record<string, unknown>>

/** An attribute among others, in any letter case. */
export const findAttribute = (attributes: readonly ScimAttribute[], name: string): ScimAttribute | undefined =>
  attributes.find((candidate) => candidate.name.toLowerCase() === name.toLowerCase())
