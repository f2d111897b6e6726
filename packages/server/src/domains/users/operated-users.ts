import type { Tx } from '../../platform/database/database.ts'
import { updateDisabled, type OperatedUserRow } from './store.operated.ts'

/** Disables a user at a time, or enables one; null if the user is in that state already. The caller ends the tokens. */
export const setDisabled = (
  tx: Tx,
  user: string,
  { isDisabled, at }: { readonly isDisabled: boolean; readonly at: Date },
): Promise<OperatedUserRow | null> => updateDisabled(tx, user, { disabled_at: isDisabled ? at : null, at })
