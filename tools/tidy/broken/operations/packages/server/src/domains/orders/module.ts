export const module = { tasks: [] }
