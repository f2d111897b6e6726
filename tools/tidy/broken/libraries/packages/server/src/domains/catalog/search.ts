import { request } from 'node:https'
export const search = request
