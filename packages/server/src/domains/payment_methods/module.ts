import type { Module } from '../../engine/task.ts'
import { attachPaymentMethod } from './operations/payment_methods.attach.ts'
import { createSetupIntent } from './operations/payment_methods.create_setup_intent.ts'
import { detachPaymentMethod } from './operations/payment_methods.detach.ts'
import { listPaymentMethods } from './operations/payment_methods.list.ts'
import { setDefaultPaymentMethod } from './operations/payment_methods.set_default.ts'

export const paymentMethods: Module = {
  name: 'payment_methods',
  handlers: [createSetupIntent, attachPaymentMethod, setDefaultPaymentMethod, detachPaymentMethod, listPaymentMethods],
  tasks: [],
}
