export { POST, PUT } from '../../../generic/fixture/routes/body/echo.ts';
