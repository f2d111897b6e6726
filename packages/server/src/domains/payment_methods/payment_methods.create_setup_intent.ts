import { paymentMethodsCreateSetupIntent } from '@swath/contract/operations/payment_methods.ts'
import { handler } from '../../engine/handler.ts'
import { newId } from '../../platform/ids.ts'
import { requireBillingRole } from '../billing/billing-roles.ts'
import { processorAnswer } from '../billing/cards/payment-problems.ts'
import { ensureCustomer } from './customer.ts'

export const createSetupIntent = handler(paymentMethodsCreateSetupIntent, async (call) => {
  await requireBillingRole(call)
  const { payments } = call.outside
  const customer_id = await processorAnswer(ensureCustomer(call))
  const { id, client_secret } = await processorAnswer(payments.createSetupIntent(customer_id, newId()))
  return { client_secret, setup_intent_id: id, customer_id, env: payments.env }
})
