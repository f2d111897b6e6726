export const speak = (): void => console.log('hello')
