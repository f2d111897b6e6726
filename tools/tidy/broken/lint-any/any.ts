export const anything = (value: any): number => Number(value)
