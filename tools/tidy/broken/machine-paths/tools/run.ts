export const from = '/Users/jane/data'
