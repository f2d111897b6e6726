import { userSchemaId, enterpriseSchemaId, groupSchemaId, type ScimResource } from './schema.ts'
import type { ScimPerson } from './store.scim-users.ts'
import type { ScimGroupRow } from './store.scim-groups.ts'

/** A group of a person. */
export interface ScimReference {
  readonly id: string
  readonly display: string
}

interface ResourcePlace {
  /** The URL of SCIM. */
  readonly baseUrl: string
}

/** A weak tag: representations of one version may have other groups. */
export const formatVersion = (version: number): string => `W/"${version}"`

const toMeta = (
  resourceType: 'User' | 'Group',
  { id, version, created_at, updated_at }: Pick<ScimPerson, 'id' | 'version' | 'created_at' | 'updated_at'>,
  { baseUrl }: ResourcePlace,
) => ({
  resourceType,
  created: created_at.toISOString(),
  lastModified: updated_at.toISOString(),
  location: `${baseUrl}/${resourceType}s/${id}`,
  version: formatVersion(version),
})

/** What a client may change of a person. */
export const toPersonAttributes = ({ user_name, external_id, attributes }: ScimPerson): ScimResource => ({
  userName: user_name,
  ...(external_id === null ? {} : { externalId: external_id }),
  ...attributes,
})

/** A person as a resource. */
export function toUserResource(
  person: ScimPerson,
  groups: readonly ScimReference[],
  place: ResourcePlace,
): ScimResource {
  const attributes = toPersonAttributes(person)
  const isEnterprise = attributes[enterpriseSchemaId] !== undefined
  return {
    schemas: [userSchemaId, ...(isEnterprise ? [enterpriseSchemaId] : [])],
    id: person.id,
    ...attributes,
    ...(groups.length === 0
      ? {}
      : {
          groups: groups.map(({ id, display }) => ({
            value: id,
            $ref: `${place.baseUrl}/Groups/${id}`,
            display,
            type: 'direct',
          })),
        }),
    meta: toMeta('User', person, place),
  }
}

/** A group as a resource. */
export const toGroupResource = (
  group: ScimGroupRow,
  members: readonly string[],
  place: ResourcePlace,
): ScimResource => ({
  schemas: [groupSchemaId],
  id: group.id,
  ...(group.external_id === null ? {} : { externalId: group.external_id }),
  displayName: group.display_name,
  ...(members.length === 0
    ? {}
    : {
        members: members.map((id) => ({ value: id, $ref: `${place.baseUrl}/Users/${id}`, type: 'User' })),
      }),
  meta: toMeta('Group', group, place),
})
