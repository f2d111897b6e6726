import { usersPasskeysListOperation } from '@swath/contract/operations/users.passkeys.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { toCompleteList } from '../../../engine/page.ts'
import { toPasskey } from '../../identity/passkeys/passkeys.ts'
import { listPasskeys } from '../../identity/passkeys/store.passkeys.ts'

export const handler = defineHandler(usersPasskeysListOperation, async (call) => {
  const rows = await listPasskeys(call.unscoped, call.principal.id)
  return toCompleteList('passkeys', rows.map(toPasskey))
})
