import { closePaymentProcessorDispute, simulateCardDispute } from './disputes.ts'
import { refundEmbeddedPaymentIntent } from './intents.ts'
import { runPaymentProcessorCommand, type EmbeddedPaymentProcessorDependencies } from './processor-tx.ts'
import { findNewestUndisputedCharge, listOpenDisputes } from './store.intents.ts'

/** Actions of the card holders of a sandbox organization and their banks that the platform does not initiate. */
export interface SandboxCardholderActions {
  /** Disputes the newest charge that is not refunded; does nothing without one. */
  disputeNewestCharge(): Promise<void>
  closeDisputes(outcome: 'won' | 'lost'): Promise<void>
  /** Refunds the newest charge at the processor, outside of the platform; does nothing without one. */
  refundNewestCharge(): Promise<void>
}

export const createSandboxCardHolders = (
  dependencies: EmbeddedPaymentProcessorDependencies,
  sandbox: string,
): SandboxCardholderActions => ({
  disputeNewestCharge: () =>
    runPaymentProcessorCommand(dependencies, async (processorTx) => {
      const charge = await findNewestUndisputedCharge(processorTx.tx, sandbox)
      if (charge) await simulateCardDispute(processorTx, charge.id, charge.captured_cents - charge.refunded_cents)
    }),
  closeDisputes: (outcome) =>
    runPaymentProcessorCommand(dependencies, async (processorTx) => {
      for (const id of await listOpenDisputes(processorTx.tx, sandbox))
        await closePaymentProcessorDispute(processorTx, id, outcome)
    }),
  refundNewestCharge: () =>
    runPaymentProcessorCommand(dependencies, async (processorTx) => {
      const charge = await findNewestUndisputedCharge(processorTx.tx, sandbox)
      if (!charge) return
      const amount_cents = charge.captured_cents - charge.refunded_cents
      await refundEmbeddedPaymentIntent(processorTx, { intent: charge.id, amount_cents, metadata: {} })
    }),
})
