import type { ShareLinkDetails, ShareLink } from '@swath/contract/schemas/share-link.ts'
import type { Call } from '../../engine/call.ts'
import { Problem } from '../../engine/problem.ts'
import { requireProject } from '../projects/access.ts'
import { sumEgressByShareLink } from '../usage/store.egress.ts'
import { findShareLink, type ShareLinkRow } from './store.ts'
import { decryptShareLinkToken } from './tokens.ts'

/** The URL of the page that opens a link. */
export const buildShareLinkUrl = (base: string, token: string): string => `${base}/share/${token}`

/** The representation of a link for its organization. */
export const toShareLink = (row: ShareLinkRow, token: string): ShareLink => ({
  id: row.id,
  token,
  target_type: row.target_type,
  target_id: row.target_id,
  permission: row.permission,
  organization_id: row.organization_id,
  project_id: row.project_id,
  expires_at: row.expires_at.toISOString(),
  revoked_at: row.revoked_at?.toISOString() ?? null,
  access_count: row.views,
  last_accessed_at: row.last_accessed_at?.toISOString() ?? null,
  created_by: row.created_by,
  created_at: row.created_at.toISOString(),
})

/** Links with their counters and costs. */
export async function toShareLinksDetails(call: Call, rows: readonly ShareLinkRow[]): Promise<ShareLinkDetails[]> {
  const ids = rows.map((row) => row.id)
  const sentBytesByLink = await sumEgressByShareLink(call.db, call.organization, ids)
  return rows.map((row) => serializeSharedLink(call, row, sentBytesByLink.get(row.id) ?? 0))
}

export const toShareLinkDetails = async (call: Call, row: ShareLinkRow): Promise<ShareLinkDetails> =>
  (await toShareLinksDetails(call, [row]))[0]!

function serializeSharedLink(call: Call, row: ShareLinkRow, sent_bytes: number): ShareLinkDetails {
  const token = decryptShareLinkToken(call.signer, row.token_sealed)
  const now = call.clock.now()
  return {
    ...toShareLink(row, ''),
    token,
    url: token === null ? null : buildShareLinkUrl(call.baseUrl, token),
    active:
      row.revoked_at === null &&
      row.stop_reason === null &&
      row.expires_at > now &&
      (row.view_cap === null || row.views < row.view_cap),
    view_cap: row.view_cap,
    cost_cap_credits: row.cost_cap_credits,
    tile_count: row.tiles,
    download_count: row.downloads,
    sent_bytes,
    cost_credits: row.cost_credits,
    updated_at: row.updated_at.toISOString(),
  }
}

/**
 * The link, if the caller has the permission in the link's project: `write` to share and to revoke, `read` to see
 * shared resources. Throws `not-found` or `not-a-member`.
 */
export async function requireShareLink(call: Call, id: string, permission: 'read' | 'write'): Promise<ShareLinkRow> {
  const link = await findShareLink(call.db, call.organization, id)
  if (!link) throw new Problem('not-found', `No link has the id "${id}".`)
  // A link can also be revoked in an archived project.
  await requireProject(call, link.project_id, permission, { allowArchived: true })
  return link
}
