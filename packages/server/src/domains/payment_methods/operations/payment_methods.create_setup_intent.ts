import { paymentMethodsCreateSetupIntentOperation } from '@swath/contract/operations/payment_methods.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { newId } from '../../../platform/ids.ts'
import { withPaymentProblems } from '../../card-payments/payment-problems.ts'
import { ensureProcessorCustomer } from '../customer.ts'

export const handler = defineHandler(paymentMethodsCreateSetupIntentOperation, async (call) => {
  const { payments } = call.integrations
  const customer_id = await withPaymentProblems(ensureProcessorCustomer(call))
  const { id, client_secret } = await withPaymentProblems(payments.createSetupIntent(customer_id, newId()))
  return { client_secret, setup_intent_id: id, customer_id, env: payments.env }
})
