import { Problem } from '../../engine/problem.ts'
import type { OrganizationTime } from '../../platform/clock.ts'
import type { Tx } from '../../platform/database/database.ts'
import { settleSpend, spend } from '../billing/spend.ts'
import type { OpenLink } from './open-link.ts'
import { findLink } from './store.ts'
import { addPaidTiles, takePaidTile } from './store.visits.ts'
import { noteTile } from './visitors.ts'

/** Tiles that are charged at once: a single one costs less than a credit. */
const block_tiles = 1000

/** Another request has just paid for the same tiles. */
class PaidAlready extends Error {}

/**
 * Counts a tile of a link and charges its organization: for the first of each thousand, before it is rendered. If the price
 * is 0, nothing is charged and no ledger entry is written. Throws `insufficient-credits` if the organization cannot pay,
 * and `quota-exceeded` if the cost cap of the link is reached.
 */
export async function payTile(opened: OpenLink): Promise<void> {
  const { link, inside } = opened
  const credits = inside.quotas.share_tiles_credits
  if (credits === 0) return noteTile(inside, link.id)
  const now = inside.clock.now()
  if (await takePaidTile(inside.db, link.organization_id, link.id, now)) return
  await requireCap(opened, credits)
  try {
    await payBlock(opened, credits, now)
  } catch (error) {
    if (!(error instanceof PaidAlready)) throw refusalOf(error)
    await payTile(opened)
  }
}

async function requireCap({ link, inside }: OpenLink, credits: number): Promise<void> {
  const newest = await findLink(inside.db, link.organization_id, link.id)
  if (!newest || newest.cost_cap_credits === null) return
  if (newest.cost_credits + credits <= newest.cost_cap_credits) return
  throw new Problem('quota-exceeded', 'The cost cap of the link is reached.', { retry_after_s: 86_400 })
}

const payBlock = ({ link, inside }: OpenLink, credits: number, now: OrganizationTime): Promise<void> =>
  spend(
    inside,
    { amount_credits: credits, subject: 'share_tiles' },
    async (tx: Tx) => {
      const taken = await addPaidTiles(tx, link.organization_id, link.id, { tiles: block_tiles, credits }, now)
      if (!taken) throw new PaidAlready('another request paid for these tiles')
    },
    (tx, { hold_id }) => settleSpend(tx, inside, hold_id, credits),
  )

/** Hides the balance of the organization from visitors. */
const refusalOf = (error: unknown): unknown =>
  error instanceof Problem && error.status === 402
    ? new Problem('insufficient-credits', 'The organization that shares this link cannot pay for more tiles.')
    : error
