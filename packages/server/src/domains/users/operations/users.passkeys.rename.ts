import { usersPasskeysRenameOperation } from '@swath/contract/operations/users.passkeys.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { createUnknownPasskeyProblem, toPasskey } from '../../identity/passkeys/passkeys.ts'
import { updatePasskeyName } from '../../identity/passkeys/store.passkeys.ts'

export const handler = defineHandler(usersPasskeysRenameOperation, (call, { passkey_id: id, name }) =>
  call.unscoped.transaction(async (tx) => {
    const row = await updatePasskeyName(tx, call.principal.id, { id, name: name.trim() })
    if (!row) throw createUnknownPasskeyProblem(id)
    return { passkey: toPasskey(row) }
  }),
)
