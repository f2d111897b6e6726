import { app } from '../app.ts'
export const chest = app
