export const find = (call: { unscoped: unknown }) => call.unscoped
