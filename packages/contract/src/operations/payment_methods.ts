import Type from 'typebox'
import { operation } from '../operation.ts'
import { ListEnvelope } from '../paging.ts'
import { PaymentMethod } from '../schemas/payment-method.ts'
import { OkResult, StrictObject, EmptyInput, Nullable, Uuid } from '../schemas/primitives.ts'

const PaymentMethodInput = StrictObject({ payment_method_row_id: Uuid })
const DefaultPaymentMethod = Type.Object({ id: Nullable(Uuid), isDefault: Type.Boolean() })

export const paymentMethodsCreateSetupIntentOperation = operation({
  id: 'payment_methods.create_setup_intent',
  scope: 'billing:write',
  permission: 'bill',
  callers: 'users-and-named-keys',
  effect: 'compute',
  summary: 'Create a setup intent to save a card with the payment processor.',
  input: EmptyInput,
  output: Type.Object({
    client_secret: Type.String(),
    setup_intent_id: Type.String(),
    customer_id: Type.String(),
    env: Type.Enum(['embedded', 'test', 'live']),
  }),
  problems: ['payment-declined', 'upstream'],
})

export const paymentMethodsAttachOperation = operation({
  id: 'payment_methods.attach',
  scope: 'billing:write',
  permission: 'bill',
  callers: 'users-and-named-keys',
  effect: 'compute',
  summary: 'Attach a card that the payment processor has confirmed.',
  input: StrictObject({
    payment_method_id: Type.String({
      minLength: 4,
      maxLength: 200,
      pattern: '^(cst|pm)_[A-Za-z0-9_]+$',
      description: 'The id at the payment processor.',
    }),
  }),
  output: DefaultPaymentMethod,
  problems: ['payment-declined', 'upstream'],
  emits: ['payment_method.attached'],
})

export const paymentMethodsSetDefaultOperation = operation({
  id: 'payment_methods.set_default',
  scope: 'billing:write',
  permission: 'bill',
  callers: 'users-and-named-keys',
  effect: 'compute',
  summary: 'Set the default card.',
  input: PaymentMethodInput,
  output: DefaultPaymentMethod,
  problems: ['not-found', 'payment-declined', 'upstream'],
})

export const paymentMethodsDetachOperation = operation({
  id: 'payment_methods.detach',
  scope: 'billing:write',
  permission: 'bill',
  callers: 'users-and-named-keys',
  effect: 'destructive',
  summary: 'Detach a card; rejected for the default card while automatic top-up or a hold requires it.',
  input: PaymentMethodInput,
  output: OkResult,
  problems: ['not-found', 'invalid-state', 'payment-declined', 'upstream'],
  emits: ['payment_method.detached'],
})

export const paymentMethodsListOperation = operation({
  id: 'payment_methods.list',
  scope: 'billing:read',
  permission: 'bill',
  effect: 'read',
  summary: 'List the saved cards.',
  input: EmptyInput,
  output: ListEnvelope('payment_methods', PaymentMethod),
})
