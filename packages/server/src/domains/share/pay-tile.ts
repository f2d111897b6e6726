import { Problem } from '../../engine/problem.ts'
import type { OrganizationTime } from '../../platform/clock.ts'
import type { Tx } from '../../platform/database/database.ts'
import { settleSpend, spend } from '../billing/spend.ts'
import type { OpenLink } from './open-link.ts'
import { findLink } from './store.ts'
import { addPaidTiles, takePaidTile } from './store.visits.ts'
import { noteTile } from './visitors.ts'

/** Tiles that are paid at once: a single one is worth less than a credit. */
const block_tiles = 1000

/** Somebody else has just paid for the same tiles. */
class PaidAlready extends Error {}

/**
 * Counts a tile of a link and charges its sharer: for the first of each thousand, before it is drawn. Where the price is 0
 * nothing is charged and nothing written in the books. Throws `insufficient-credits` where the sharer cannot pay, and
 * `quota-exceeded` where the link may cost no more.
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
  throw new Problem('quota-exceeded', 'The link has cost its sharer as much as it may.', { retry_after_s: 86_400 })
}

const payBlock = ({ link, inside }: OpenLink, credits: number, now: OrganizationTime): Promise<void> =>
  spend(
    inside,
    { amount_credits: credits, subject: 'share_tiles' },
    async (tx: Tx) => {
      const taken = await addPaidTiles(tx, link.organization_id, link.id, { tiles: block_tiles, credits }, now)
      if (!taken) throw new PaidAlready('somebody else paid for these tiles')
    },
    (tx, { hold_id }) => settleSpend(tx, inside, hold_id, credits),
  )

/** A visitor learns that the sharer cannot pay, and nothing of what the sharer has. */
const refusalOf = (error: unknown): unknown =>
  error instanceof Problem && error.status === 402
    ? new Problem('insufficient-credits', 'The organization that shares this cannot pay for more tiles.')
    : error
