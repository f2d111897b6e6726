import { join } from 'node:path'
import { grantCredits } from '../../src/domains/ledger/ledger.ts'
import { newId } from '../../src/platform/ids.ts'
import { storeFileAsset } from '../rasters.ts'
import { createQueuedOrganization } from '../task-runner.ts'
import { deliverItem, type TestServices } from '../test-services.ts'

const heightsFile = join(import.meta.dirname, '../../../../fixtures/rasters/scenes/elevation-stormlake.tif')

export interface OrganizationWithHeights {
  readonly org: Awaited<ReturnType<typeof createQueuedOrganization>>
  /** The item of an elevation model. */
  readonly heights: string
}

/** Creates an organization with credits and an elevation model, whose tasks run when a test says so. */
export async function createOrganizationWithHeights(
  services: TestServices,
  { amount_credits = 1000 }: { readonly amount_credits?: number } = {},
): Promise<OrganizationWithHeights> {
  const org = await createQueuedOrganization(services)
  const reference = { type: 'purchase', id: newId() }
  await org.owner.transaction((tx) => grantCredits(tx, org.owner, { kind: 'purchase', amount_credits, reference }))
  const asset = await storeFileAsset(services.blobs, heightsFile, [])
  const { item_id: heights } = await deliverItem(org.owner, org.project, { assets: [asset] })
  return { org, heights }
}
