import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from '@swath/client/client.ts'
import { sql } from '../../../src/platform/database/sql.ts'
import { square } from '../../geometries.ts'
import type { TestApp } from '../../test-app.ts'
import type { TestOrganization } from '../../test-organizations.ts'

/** The input of `orders.tasking.place` for a product of the host `sky`, which is named by its workflow. */
export const toTaskingOrder = (
  workspaceId: string,
  workflow: 'direct' | 'study' | 'quotation',
  displayName: string = '',
) => ({
  workspaceId,
  displayName,
  groups: [{ geometry: square(10, 50, 0.01), dataProduct: `sky:${workflow}` }],
})

const placeOrder = async ({ owner, project }: TestOrganization, workflow: 'study' | 'quotation'): Promise<string> =>
  (await owner.client.call<{ id: string }>('orders.tasking.place', toTaskingOrder(project, workflow))).id

/** The study of a tasking order, which its host answers at once. */
async function waitForStudy(client: Client, orderId: string) {
  for (let attempt = 0; attempt < 600; attempt++) {
    const [study] = (await client.call('orders.tasking.feasibility_studies.list', { orderId })).content
    if (study) return study
    await pause(50)
  }
  throw new Error('the study was not answered within half a minute')
}

/** Places an order with a study; returns the input that accepts one of its options, which have prices. */
export async function requestStudy(_app: TestApp, org: TestOrganization, option = 0) {
  const study = await waitForStudy(org.owner.client, await placeOrder(org, 'study'))
  return { study_id: study.id, acceptedOptionId: study.options[option]!.id }
}

/** Places an order that waits for a quotation; returns its id. */
export const placeUnquotedOrder = (org: TestOrganization): Promise<string> => placeOrder(org, 'quotation')

/** The same with a quotation of 500 credits; returns the input that accepts it. */
export async function requestQuotation(app: TestApp, org: TestOrganization) {
  const { quotation } = await app.admin.call('admin.tasking.quotation_upload', {
    organization_id: org.organization,
    order_id: await placeUnquotedOrder(org),
    creditsPrice: 500,
    reason: 'an offer',
  })
  return { quotation_id: quotation.id, decision: 'ACCEPTED' as const }
}

/** Ends the time for a decision. */
export const expireDecision = (app: TestApp, id: string): Promise<unknown> =>
  app.database.unscoped.query(sql`update tasking_decisions set decision = 'EXPIRED' where id = ${id}`)
