import { Problem } from '../../engine/problem.ts'
import type { OrganizationTime } from '../../platform/clock.ts'
import type { Tx } from '../../platform/database/database.ts'
import { capturePaymentHold, runWithReservedPayment } from '../billing/payment.ts'
import type { AuthorizedShareLink } from './authorize-share-link.ts'
import { findShareLink } from './store.ts'
import { updatePaidShareTiles, claimPaidShareTile } from './store.counters.ts'
import { countFreeShareTile } from './share-visitors.ts'

/** Tiles that are charged at once: a single one costs less than a credit. */
const tiles_per_charge = 1000

/** Another request has just paid for the same tiles. */
class AlreadyPaidError extends Error {}

/**
 * Counts a tile of a link and charges its organization: for the first of each thousand, before it is rendered. If the price
 * is 0, nothing is charged and no ledger entry is written. Throws `insufficient-credits` if the organization cannot pay,
 * and `quota-exceeded` if the cost cap of the link is reached.
 */
export async function chargeShareTile(authorized: AuthorizedShareLink): Promise<void> {
  const { link, ownerCall } = authorized
  const credits = ownerCall.quotas.share_tiles_credits
  if (credits === 0) return countFreeShareTile(ownerCall, link.id)
  const now = ownerCall.clock.now()
  if (await claimPaidShareTile(ownerCall.db, link.organization_id, link.id, now)) return
  await requireCostCapLeft(authorized, credits)
  try {
    await chargeTileBlock(authorized, credits, now)
  } catch (error) {
    if (!(error instanceof AlreadyPaidError)) throw toVisitorProblem(error)
    await chargeShareTile(authorized)
  }
}

async function requireCostCapLeft({ link, ownerCall }: AuthorizedShareLink, credits: number): Promise<void> {
  const current = await findShareLink(ownerCall.db, link.organization_id, link.id)
  if (!current || current.cost_cap_credits === null) return
  if (current.cost_credits + credits <= current.cost_cap_credits) return
  throw new Problem('quota-exceeded', 'The cost cap of the link is reached.', { retry_after_s: 86_400 })
}

const chargeTileBlock = (
  { link, ownerCall }: AuthorizedShareLink,
  credits: number,
  now: OrganizationTime,
): Promise<void> =>
  runWithReservedPayment(
    ownerCall,
    { amount_credits: credits, subject: 'share_tiles' },
    async (tx: Tx) => {
      const isAdded = await updatePaidShareTiles(tx, {
        organization: link.organization_id,
        id: link.id,
        paid: { tiles: tiles_per_charge, credits },
        now,
      })
      if (!isAdded) throw new AlreadyPaidError('another request paid for these tiles')
    },
    (tx, { hold_id }) => capturePaymentHold(tx, ownerCall, { hold_id, amount_credits: credits }),
  )

/** Hides the balance of the organization from visitors. */
const toVisitorProblem = (error: unknown): unknown =>
  error instanceof Problem && error.status === 402
    ? new Problem('insufficient-credits', 'The organization that shares this link cannot pay for more tiles.')
    : error
