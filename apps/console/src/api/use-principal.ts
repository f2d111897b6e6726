import { useOperation } from './use-operation.ts'

/** The signed-in person with organization, scopes and wallet. */
export const usePrincipal = () => useOperation('users.me', {})
