// Generated from the contract by `npm run generate`; do not edit.

/** Every scope that a person may have, those of operators and clip users included: who asks for them gets what they have. */
export const everyScope =
  'items:* catalog:* tiles:* collections:* band_formulas:* orders:* processing:* analytics:* uploads:* provenance:* reports:* usage:* projects:* organizations:* audit:* shares:* alerts:* event_subscriptions:* notifications:* billing:* eulas:* api_keys:* personal_tokens:* oauth_clients:* consents:* users:* admin:* clip:*'
