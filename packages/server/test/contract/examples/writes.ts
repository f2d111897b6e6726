import { newId } from '../../../src/platform/ids.ts'
import type { Examples } from './examples.ts'

/** One valid example for every other operation that is answered; each makes or takes what it needs. */
export const writes: Examples = {
  'admin.orgs.credit_adjust': ({ organization }) => ({
    organization_id: organization,
    amount_credits: 5,
    reason: 'example',
  }),
  'api_keys.create': () => ({ name: 'example', permissions: ['can_read'] }),
  'api_keys.revoke': () => ({ key_id: newId() }),
  'billing.ledger.export': () => ({ limit: 5 }),
  'billing.reconciliation.backfill_missing': ({ organization }) => ({ organization_id: organization }),
  'billing.reconciliation.correct_drift': ({ organization }) => ({
    organization_id: organization,
    bytes_delta: 1,
    reason: 'example',
  }),
  'billing.reconciliation.remove_stale': ({ organization }) => ({ organization_id: organization }),
  'billing.reconciliation.run': ({ organization }) => ({ organization_id: organization }),
  'billing.reconciliation.run_all': () => ({}),
  'billing.reconciliation.zero_negative_nets': ({ organization }) => ({ organization_id: organization }),
  'collections.create': ({ project }) => ({ project_id: project, name: `Example ${newId()}` }),
  'collections.delete': ({ project }) => ({ project_id: project, collection_id: newId() }),
  'collections.update': ({ project, collection }) => ({
    project_id: project,
    collection_id: collection,
    color: '#336699',
  }),
  'items.asset.download': ({ item, asset }) => ({ item_id: item, asset_id: asset }),
  'orders.archive.place': ({ captures }) => ({ captures: captures.slice(0, 1) }),
  'orders.cancel': ({ order }) => ({ order_id: order }),
  'organizations.create': () => ({ name: 'Example' }),
  'organizations.members.add': () => ({ email: `${newId()}@example.org`, role: 'member' }),
  'organizations.members.set_spend_limit': ({ other }) => ({ userId: other, perOrderLimitCredits: 5000 }),
  'payment_methods.attach': () => ({ payment_method_id: 'pm_card_good' }),
  'payment_methods.create_setup_intent': () => ({}),
  'payment_methods.detach': () => ({ payment_method_row_id: newId() }),
  'payment_methods.set_default': () => ({ payment_method_row_id: newId() }),
  'projects.add_member': ({ project, other }) => ({ project_id: project, user_id: other, role: 'viewer' }),
  'projects.archive': ({ project }) => ({ project_id: project, is_archived: false }),
  'projects.create': () => ({ name: `Example ${newId()}` }),
  'projects.delete': () => ({ project_id: newId() }),
  'projects.remove_member': ({ project, other }) => ({ project_id: project, user_id: other }),
  'projects.update': ({ project }) => ({ project_id: project, description: 'example' }),
  'projects.update_member': ({ project, other }) => ({ project_id: project, user_id: other, role: 'editor' }),
}
