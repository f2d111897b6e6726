export const find = (call: { across: unknown }) => call.across
