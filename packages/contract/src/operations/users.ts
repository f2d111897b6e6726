import { operation } from '../operation.ts'
import { EmptyInput } from '../schemas/primitives.ts'
import { CurrentPrincipal } from '../schemas/user.ts'

export const usersMeOperation = operation({
  id: 'users.me',
  scope: null,
  effect: 'read',
  summary: 'Read the calling principal with its organization, role, scopes, spend limits and wallet.',
  input: EmptyInput,
  output: CurrentPrincipal,
  extension: true,
})
