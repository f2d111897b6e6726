import type { Client } from '@swath/client/client.ts'

/** An operator asks for support access, and the owner of the organization grants it. Returns its id. */
export async function grantSupportAccess(
  operator: Client,
  owner: Client,
  organization_id: string,
  hours = 24,
): Promise<string> {
  const { id } = await operator.call('admin.support_access.request', { organization_id, reason: 'A question.', hours })
  await owner.call('organizations.support_access.grant', { access_id: id })
  return id
}
