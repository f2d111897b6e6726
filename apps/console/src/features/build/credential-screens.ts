/** The screens of keys, tokens and clients are one file to load: they share most of their parts. */
export { AccessTokens } from './tokens/access-tokens.tsx'
export { AllowedPrograms } from './programs/allowed-programs.tsx'
export { Keys } from './keys.tsx'
export { OAuthClients } from './clients/oauth-clients.tsx'
