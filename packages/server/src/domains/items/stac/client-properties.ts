import type { StacAsset } from '@swath/contract/schemas/stac.ts'
import type { StacItemRow } from '../store.ts'

// Clients of the second generation read and write these members of items and collections.

/** Properties that a user sets; they are stored as they are. */
export const userTitleProperty = 'up42-user:title'
export const userTagsProperty = 'up42-user:tags'

/** The form of the properties below. */
const metadataVersion = '1.0.0'

/** Properties that are derived from the row; input properties with these names are dropped. */
export const isClientProperty = (name: string): boolean => /^up42-(?:system|order|product):/.test(name)

type Source = Pick<StacItemRow, 'id' | 'project_id' | 'order_id' | 'job_id' | 'origin'> & {
  readonly stac_assets: Readonly<Record<string, StacAsset>>
}

/** What an item is, in the words of these clients. A member without a value is absent. */
export function toClientProperties(organization: string, item: Source): Record<string, unknown> {
  const { origin } = item
  return definedMembers({
    'up42-system:asset_id': item.id,
    'up42-system:account_id': organization,
    'up42-system:workspace_id': item.project_id,
    'up42-system:job_id': item.job_id,
    'up42-system:source': origin.source,
    'up42-system:metadata_version': metadataVersion,
    'up42-order:id': item.order_id,
    'up42-product:product_id': origin.data_product_id,
    'up42-product:collection_name': origin.host_collection,
    'up42-product:modality': deriveModality(Object.values(item.stac_assets)),
  })
}

/** The origin of a collection that was made for the results of an order or a job. */
interface CollectionSource {
  readonly project_id: string
  readonly name: string
  readonly source_type: string | null
  readonly source_id: string | null
}

/** The same for a collection, whose name a user gave it. */
export const toClientCollectionMembers = (
  organization: string,
  { project_id, name, source_type, source_id }: CollectionSource,
): Record<string, unknown> =>
  definedMembers({
    [userTitleProperty]: name,
    'up42-system:account_id': organization,
    'up42-system:workspace_id': project_id,
    'up42-order:id': source_type === 'order' ? source_id : null,
    'up42-system:job_id': source_type === 'job' ? source_id : null,
    'up42-system:metadata_version': metadataVersion,
  })

const definedMembers = (members: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null))

/** `panchromatic` for one band named so, `multispectral` for several; null if the bands do not tell. */
function deriveModality(assets: readonly object[]): string | null {
  const names = assets.flatMap((asset) => {
    const bands = 'eo:bands' in asset && Array.isArray(asset['eo:bands']) ? (asset['eo:bands'] as object[]) : []
    return bands.map((band) => ('common_name' in band ? band.common_name : 'name' in band ? band.name : null))
  })
  if (names.length > 1) return 'multispectral'
  return names[0] === 'pan' ? 'panchromatic' : null
}
